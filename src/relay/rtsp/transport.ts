export type Endpoint = { readonly address: string; readonly port: number };

/** How media may come. */
export type Offer = {
  readonly tcp: boolean;
  /** Ports that are bound; `address` is what the server is told of them, where that helps it through a NAT. */
  readonly pair: { readonly rtp: number; readonly rtcp: number; readonly address: string | null } | null;
};

/** How it comes, by the answer to SETUP (RFC 2326 §12.39). */
export type Agreed =
  | { readonly way: 'tcp'; readonly media: number; readonly control: number }
  | {
      readonly way: 'udp';
      /** Where it comes from when that is not the peer of the connection. */
      readonly server: string | null;
      readonly rtp: number | null;
      readonly rtcp: number | null;
    };
