/** Entries of the group that is edited a part at a time: more than 10,000 are. */
export const bigCount = 10_050;
export const smallCount = 200;
const passingCount = 300;
/** After so many lines of that kind the first ones are back. */
const passingCycle = 3000;

type Line = { readonly name: string; readonly url: string; readonly group: string };

/**
 * The lines of a list in one of its versions: two groups that stay, and one of which half is replaced from each version to the
 * next. A tenth has other names than before, the order begins elsewhere, and HTTP addresses have new tokens.
 */
export function linesOfVersion(version: number): Line[] {
  const big = Array.from({ length: bigCount }, (_, n) => stable('Big', 1, n, version));
  const small = Array.from({ length: smallCount }, (_, n) => stable('Small', 2, n, version));
  const passing = Array.from({ length: passingCount }, (_, n) => {
    const number = (version * (passingCount / 2) + n) % passingCycle;
    return { name: `Passing ${number}`, url: `http://one.example/${number}.ts?token=${version}`, group: 'Passing' };
  });
  const all = [...big, ...small, ...passing];
  const turn = (version * 997) % all.length;
  return [...all.slice(turn), ...all.slice(0, turn)];
}

function stable(group: string, network: number, n: number, version: number): Line {
  const name = n % 10 === version % 10 ? `${group} ${n} of version ${version}` : `${group} ${n}`;
  return { name, url: `udp://239.${network + (n >> 16)}.${(n >> 8) & 255}.${n & 255}:5000`, group };
}

/** The list as it is fetched; its first line says its version. */
export function listOfVersion(version: number): string {
  const entries = linesOfVersion(version).map(({ name, url, group }) => {
    return `#EXTINF:-1 tvg-id="${group}.${url.replace(/\?.*/, '')}" group-title="${group}",${name}\n${url}\n`;
  });
  return `#EXTM3U x-version="${version}"\n${entries.join('')}`;
}
