import { parentPort } from 'node:worker_threads';
import parser from 'iptv-playlist-parser';

parentPort?.on('message', (list: string) => parentPort?.postMessage(parser.parse(list)));
