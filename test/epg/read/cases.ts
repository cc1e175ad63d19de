/** A guide from the field, and what is to be read of it. */
export type GuideCase = {
  readonly id: string;
  readonly title: string;
  readonly body: string | Uint8Array;
  /** First titles by guide id, in file order. */
  readonly titles: Readonly<Record<string, readonly string[]>>;
  /** Counts by code; others there are none. */
  readonly problems: Readonly<Record<string, number>>;
  readonly refusal?: string;
};

const prolog = '<?xml version="1.0" encoding="UTF-8"?>\n';
const names = '<channel id="a"><display-name>A</display-name></channel>';

/** A programme of channel `a`, on the hour of 2024-01-01 UTC. */
export function programme(hour: number, content: string, channel = 'a'): string {
  const time = (of: number) => `20240101${String(of).padStart(2, '0')}0000 +0000`;
  return `<programme start="${time(hour)}" stop="${time(hour + 1)}" channel="${channel}">${content}</programme>`;
}

export function guide(...elements: readonly string[]): string {
  return `${prolog}<tv>${elements.join('\n')}</tv>`;
}

const many = 'x'.repeat(300);

export const cases: readonly GuideCase[] = [
  {
    id: 'X07',
    title: 'a guide without a prolog that ends in a line feed is read',
    body: `<tv>${names}${programme(12, '<title>One</title>')}</tv>\n`,
    titles: { a: ['One'] },
    problems: {},
  },
  {
    id: 'X10',
    title: 'a programme with a date that is not closed is left out, and the others are read',
    body: guide(
      names,
      programme(12, '<title>One</title>'),
      programme(13, '<title>Two</title><date>2024<desc>Text</desc>'),
      programme(14, '<title>Three</title>'),
    ),
    titles: { a: ['One', 'Three'] },
    problems: { 'bad-nesting': 1 },
  },
  {
    id: 'X11',
    title: 'no bytes at all are refused',
    body: '',
    titles: {},
    problems: { 'not-a-guide': 1 },
    refusal: 'It is empty.',
  },
  {
    id: 'X13',
    title: 'an id with escaped signs is the one that was meant',
    body: guide(
      '<channel id="A&amp;E &quot;HD&quot;&lt;1&gt;"><display-name>A&amp;E</display-name></channel>',
      programme(12, '<title>One</title>', 'A&amp;E &quot;HD&quot;&lt;1&gt;'),
    ),
    titles: { 'A&E "HD"<1>': ['One'] },
    problems: {},
  },
  {
    id: 'X14',
    title: 'letters of many bytes and a bare & are kept',
    body: guide(names, programme(12, '<title>Zoë & Çelik</title>')),
    titles: { a: ['Zoë & Çelik'] },
    problems: { 'bare-ampersand': 1 },
  },
  {
    id: 'X16',
    title: 'a title of 300 characters is kept whole, and its siblings are',
    body: guide(
      names,
      programme(12, '<title>One</title>'),
      programme(13, `<title>${many}</title>`),
      programme(14, '<title>Three</title>'),
    ),
    titles: { a: ['One', many, 'Three'] },
    problems: {},
  },
  {
    id: 'X17',
    title: 'a date that is none is left out, and its programme is kept',
    body: guide(names, programme(12, '<title>One</title><date>2</date>')),
    titles: { a: ['One'] },
    problems: { 'bad-value': 1 },
  },
  {
    id: 'X19',
    title: 'three programmes on one line are three',
    body: `<tv>${names}${[12, 13, 14].map((hour) => programme(hour, `<title>At ${hour}</title>`)).join('')}</tv>`,
    titles: { a: ['At 12', 'At 13', 'At 14'] },
    problems: {},
  },
  {
    id: 'HTML entities',
    title: 'names that HTML knows are characters, and others stay as they are written',
    body: guide(names, programme(12, '<title>Caf&eacute;&nbsp;&hellip; &foo; &[ &#x41;&#66; &amp;amp;</title>')),
    titles: { a: ['Café … &foo; &[ AB &amp;'] },
    problems: { 'unknown-entity': 1, 'bare-ampersand': 1 },
  },
  {
    id: 'HTML tags',
    title: 'tags of HTML in a text are taken out, closed or not',
    body: guide(names, programme(12, '<title>One <i>big</i> <b>day</b></title><desc>A<br>B<br/>C <p>D</desc>')),
    titles: { a: ['One big day'] },
    problems: { 'bad-markup': 7 },
  },
  {
    id: 'CDATA',
    title: 'what CDATA holds is as it is there, also between other text',
    body: guide(names, programme(12, '<title>A <![CDATA[<b> & &amp; </programme>]]> B &amp; C</title>')),
    titles: { a: ['A <b> & &amp; </programme> B & C'] },
    problems: {},
  },
  {
    id: 'comments',
    title: 'tags in comments are none',
    body: guide(names, programme(12, '<!-- </programme> --><title>O<!-- x -->ne</title>')),
    titles: { a: ['One'] },
    problems: {},
  },
  {
    id: 'control characters',
    title: 'characters that XML forbids are left out, written or referred to',
    body: guide(names, programme(12, '<title>A\u0001B&#2;C&#xD800;D&#x85;</title>')),
    titles: { a: ['ABCD…'] },
    problems: { 'control-character': 3 },
  },
  {
    id: 'bare <',
    title: 'a < that begins no tag is a character',
    body: guide(names, programme(12, '<title>1 < 2 <3</title>')),
    titles: { a: ['1 < 2 <3'] },
    problems: { 'bad-markup': 2 },
  },
  {
    id: 'no title',
    title: 'a programme whose title is empty is left out',
    body: guide(names, programme(12, '<title> </title><desc>Text</desc>'), programme(13, '<title>Two</title>')),
    titles: { a: ['Two'] },
    problems: { 'no-title': 1 },
  },
  {
    id: 'reserved names',
    title: 'an element that the parser refuses costs its own programme',
    body: guide(
      names,
      programme(12, '<title>One</title>'),
      programme(13, '<title>Two</title><constructor>x</constructor>'),
      programme(14, '<title>Three</title><toString/>'),
    ),
    titles: { a: ['One', 'Three'] },
    problems: { 'bad-markup': 1, 'unknown-element': 1 },
  },
  {
    id: 'windows-1251',
    title: 'Cyrillic text in a guide that says it is UTF-8 is read as Windows-1251',
    body: Buffer.concat([
      Buffer.from(`${prolog}<tv>${names}`),
      // Новости
      Buffer.from(programme(12, '<title>\u00cd\u00ee\u00e2\u00ee\u00f1\u00f2\u00e8</title>'), 'latin1'),
      Buffer.from(`${programme(13, '<title>Zoë</title>')}</tv>`),
    ]),
    titles: { a: ['Новости', 'Zoë'] },
    problems: { 'wrong-encoding': 1 },
  },
  {
    id: 'declared encoding',
    title: 'text in the encoding that is declared is read so, and UTF-8 in it as UTF-8',
    body: Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-2"?><tv>'),
      // Wiadomości
      Buffer.from(programme(12, '<title>Wiadomo\u00b6ci</title>'), 'latin1'),
      Buffer.from(`${programme(13, '<title>Zoë</title>')}</tv>`),
    ]),
    titles: { a: ['Wiadomości', 'Zoë'] },
    problems: { 'wrong-encoding': 1 },
  },
];
