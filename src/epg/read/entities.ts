import type { GuideProblem } from '../../model/guide.js';

/** Tells of a problem of the element that is read. */
export type Tell = (code: GuideProblem['code'], message: string) => void;

/** Of HTML 4 (§24.2), for the characters 160 to 255. A no-break space that is spelled out is a blank: it is there to be one. */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';
/** Of HTML 4 (§24.3, §24.4), each with its character, and what XML and HTML 5 have besides. */
const others =
  'amp& lt< gt> quot" apos\' AMP& LT< GT> QUOT" OEligŒ oeligœ ScaronŠ scaronš YumlŸ fnofƒ circˆ tilde˜ ensp\u2002 ' +
  'emsp\u2003 thinsp\u2009 zwnj\u200c zwj\u200d lrm\u200e rlm\u200f ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” ' +
  'bdquo„ dagger† Dagger‡ bull• hellip… permil‰ prime′ Prime″ lsaquo‹ rsaquo› oline‾ frasl⁄ euro€ imageℑ weierp℘ ' +
  'realℜ trade™ alefsymℵ larr← uarr↑ rarr→ darr↓ harr↔ crarr↵ lArr⇐ uArr⇑ rArr⇒ dArr⇓ hArr⇔ forall∀ part∂ exist∃ ' +
  'empty∅ nabla∇ isin∈ notin∉ ni∋ prod∏ sum∑ minus− lowast∗ radic√ prop∝ infin∞ ang∠ and∧ or∨ cap∩ cup∪ int∫ ' +
  'there4∴ sim∼ cong≅ asymp≈ ne≠ equiv≡ le≤ ge≥ sub⊂ sup⊃ nsub⊄ sube⊆ supe⊇ oplus⊕ otimes⊗ perp⊥ sdot⋅ lceil⌈ ' +
  'rceil⌉ lfloor⌊ rfloor⌋ lang〈 rang〉 loz◊ spades♠ clubs♣ hearts♥ diams♦ AlphaΑ BetaΒ GammaΓ DeltaΔ EpsilonΕ ZetaΖ ' +
  'EtaΗ ThetaΘ IotaΙ KappaΚ LambdaΛ MuΜ NuΝ XiΞ OmicronΟ PiΠ RhoΡ SigmaΣ TauΤ UpsilonΥ PhiΦ ChiΧ PsiΨ OmegaΩ alphaα ' +
  'betaβ gammaγ deltaδ epsilonε zetaζ etaη thetaθ iotaι kappaκ lambdaλ muμ nuν xiξ omicronο piπ rhoρ sigmafς sigmaσ ' +
  'tauτ upsilonυ phiφ chiχ psiψ omegaω thetasymϑ upsihϒ pivϖ';
/** Windows-1252 at 128 to 159: what is meant where a reference names one of these control characters (HTML §13.2.5.80). */
const cp1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Keyed by name, without `&` and `;`. */
const characters = new Map<string, string>([
  ...latin1.split(' ').map((name, index) => [name, String.fromCharCode(160 + index)] as const),
  ...others.split(/ (?=\w)/).map((pair) => [pair.slice(0, -1), pair.slice(-1)] as const),
  ['nbsp', ' '],
]);

/** Longest name or number between `&` and `;`. */
const longest = 32;

/**
 * Puts characters in the place of references: those of XML, numbers, and HTML's names. A bare `&` and a name that nobody
 * knows stay as they are written, characters that XML does not allow are left out; all of these are told.
 */
export function decodeEntities(text: string, tell: Tell): string {
  let at = text.indexOf('&');
  if (at < 0) return text;
  let decoded = '';
  for (let done = 0; ; ) {
    const end = text.indexOf(';', at);
    const name = end < 0 || end - at > longest ? '' : text.slice(at + 1, end);
    const character = characters.get(name) ?? unusual(name, tell);
    const next = character === null ? at + 1 : end + 1;
    decoded += character === null ? text.slice(done, next) : text.slice(done, at) + character;
    at = text.indexOf('&', next);
    if (at < 0) return decoded + text.slice(next);
    done = next;
  }
}

/** What a reference stands for that is no name of a character; null for an `&` that is none. */
function unusual(name: string, tell: Tell): string | null {
  const number = /^#(?:[xX]([0-9a-fA-F]{1,8})|([0-9]{1,9}))$/.exec(name);
  if (number !== null) {
    const [, hex, decimal = ''] = number;
    return numbered(hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16), name, tell);
  }
  if (/^[A-Za-z][A-Za-z0-9]*$/.test(name)) return unknown(name, tell);
  tell('bare-ampersand', 'A bare & stands in it, which XML writes as &amp;.');
  return null;
}

function unknown(name: string, tell: Tell): string {
  tell('unknown-entity', `&${name}; is no entity of XML or HTML.`);
  return `&${name};`;
}

function numbered(code: number, name: string, tell: Tell): string {
  if (code > 0x10ffff) return unknown(name, tell);
  if (isAllowed(code)) return code >= 0x80 && code < 0xa0 ? cp1252.charAt(code - 0x80) : String.fromCodePoint(code);
  tell('control-character', `&${name}; names a character that XML does not allow.`);
  return '';
}

/** XML 1.0 §2.2. */
function isAllowed(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return code < 0xd800 || (code > 0xdfff && code !== 0xfffe && code !== 0xffff);
}
