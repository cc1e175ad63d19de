import { spawnSync } from 'node:child_process';

/** The DTD of XMLTV as its package installs it. */
export const xmltvDtd = '/usr/share/xmltv/xmltv.dtd';

/** What xmllint finds wrong with a guide by the DTD of XMLTV; empty when it is valid. A path, or the text itself. */
export function dtdProblems(guide: { readonly path: string } | { readonly text: string }): string {
  const isFile = 'path' in guide;
  const { stderr, status, error } = spawnSync(
    'xmllint',
    ['--noout', '--nonet', '--huge', '--dtdvalid', xmltvDtd, isFile ? guide.path : '-'],
    { input: isFile ? undefined : guide.text, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (error !== undefined) throw error;
  return status === 0 ? '' : stderr.slice(0, 4000) || `xmllint ended with ${status}.`;
}
