import { type Address, placeOf, readAddress } from './address.js';
import { bareName, isNameless } from './name.js';

/** What an entry is recognised by from one refresh to the next. What costs time is worked out when it is asked for. */
export type Identity = {
  /** As written. */
  readonly url: string;
  /** The name as written; empty where it stands for none. */
  readonly title: string;
  readonly group: string;
  /** In lower case; null for placeholders too. */
  readonly tvgId: string | null;
  /** Not in the provider's list any more; one that is present goes before it. */
  readonly missing: boolean;
  /** Without case, blanks and punctuation; empty where nothing is named. */
  readonly name: string;
  readonly address: Address;
  /** Group, port and sender of multicast, else the address without scheme, host and credentials. */
  readonly place: string;
};

export type Said = {
  readonly url: string;
  readonly name: string;
  readonly tvgId: string | null;
  readonly groups: readonly string[];
  readonly missing?: boolean;
};

/** Written by providers where they have no id. */
const placeholder = /^(?:|-+|0|-1|none|null|undefined|unknown|n\/?a|no[ _-]?(?:id|epg|tvg-?id))$/;

export class Recognised implements Identity {
  readonly url: string;
  readonly title: string;
  readonly group: string;
  readonly tvgId: string | null;
  readonly missing: boolean;
  #name: string | null = null;
  #address: Address | null = null;
  #place: string | null = null;

  constructor({ url, name, tvgId, groups, missing = false }: Said) {
    this.url = url;
    this.title = isNameless(name) ? '' : name;
    this.group = groups.length === 1 ? (groups[0] ?? '') : groups.join(';');
    const id = tvgId?.trim().toLowerCase() ?? '';
    this.tvgId = placeholder.test(id) ? null : id;
    this.missing = missing;
  }

  get name(): string {
    this.#name ??= bareName(this.title);
    return this.#name;
  }

  get address(): Address {
    this.#address ??= readAddress(this.url);
    return this.#address;
  }

  get place(): string {
    this.#place ??= placeOf(this.address);
    return this.#place;
  }
}
