import { element, emptyElement, textElement } from './xml.js';

/** A channel as the guide names it. */
export type ChannelHead = {
  readonly id: string;
  /** One at least, the one that is to be shown first. */
  readonly names: readonly string[];
  /** Address of its picture. */
  readonly icon: string | null;
};

/** `<channel id="…">` with its names, each once. */
export function channelElement({ id, names, icon }: ChannelHead): string {
  const written = [...new Set(names.map((name) => textElement('display-name', name)))].join('');
  const content = written === '' ? textElement('display-name', id) : written;
  return `  ${element('channel', `${content}${icon === null ? '' : emptyElement('icon', { src: icon })}`, { id })}\n`;
}
