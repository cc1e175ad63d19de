import type { ArchiveMode } from '../../model/archive.js';

/** The template of a mode behind a live address, or why there is none. */
export declare function templateOf(
  mode: ArchiveMode,
  source: string | null,
  live: string | null,
): { readonly template: string } | { readonly problem: string };
