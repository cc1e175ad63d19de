import { startLoop } from '../../demo/sender.js';

/** A program of its own, in the sender's network: plays recordings round and round until it is disconnected. */
export type ZapSenderOptions = {
  readonly interface: string;
  readonly channels: readonly { readonly file: string; readonly address: string; readonly port: number }[];
};

const options = JSON.parse(process.argv[2] ?? '{}') as ZapSenderOptions;
process.on('disconnect', () => process.exit(0));
for (const channel of options.channels) await startLoop({ ...channel, rtp: true, interface: options.interface });
process.send?.('ready');
