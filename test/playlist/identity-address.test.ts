import { type Line, others, testCases, udp } from './identity-lines.js';

const hls = (token: string, id: string) => `https://cdn.example/play/${token}/${id}/index.m3u8`;
/** Two hashes as servers put them into paths. */
const [was, is] = ['9f86d081884c7d659a2feaa0c55ad015', 'b94d27b9934d3e08a52e52d7da7dabfa'];

testCases([
  {
    what: 'placeholders for a guide id tell nothing',
    previous: [['A', udp(1), 'none', 'G']],
    next: [['B', udp(2), 'none', 'G']],
    continues: [null],
  },
  {
    what: 'entries of one address are told apart by their groups when all are renamed',
    previous: [
      ['A', udp(1), null, 'Favourites'],
      ['A', udp(1), null, 'News'],
    ],
    next: [
      ['Z', udp(1), null, 'News'],
      ['Z', udp(1), null, 'Favourites'],
    ],
    continues: [1, 0],
  },
  {
    what: 'a new name at an address that many channels have is a new channel',
    previous: [
      ['A', 'http://h/offline.ts', null, 'G'],
      ['B', 'http://h/offline.ts', null, 'G'],
    ],
    next: [
      ['A', 'http://h/offline.ts', null, 'G'],
      ['C', 'http://h/offline.ts', null, 'G'],
    ],
    continues: [0, null],
  },
  {
    what: 'a new user and password in the path of an Xtream server do not matter',
    previous: [
      ['A', 'http://old.example:8080/live/user1/pass1/7.ts'],
      ['B', 'http://old.example:8080/user1/pass1/8'],
      ['Film', 'http://old.example:8080/movie/user1/pass1/7.mkv'],
    ],
    next: [
      ['Renamed film', 'https://new.example/movie/u2/p2/7.mkv'],
      ['Renamed B', 'https://new.example/u2/p2/8.m3u8'],
      ['Renamed A', 'https://new.example/live/u2/p2/7.m3u8'],
    ],
    continues: [2, 1, 0],
  },
  {
    what: 'the same number on two servers is two channels',
    previous: [
      ['Sport', 'http://one.example/live/u/p/7.ts?token=1', null, 'G'],
      ['Sport', 'http://two.example/live/u/p/7.ts?token=1', null, 'G'],
    ],
    next: [
      ['Sport', 'http://two.example/live/u/p/7.ts?token=2', null, 'G'],
      ['Sport', 'http://one.example/live/u/p/7.ts?token=2', null, 'G'],
    ],
    continues: [1, 0],
  },
  {
    what: 'a new token in the path does not matter while a number follows',
    previous: [
      ['A', hls(was, '7')],
      ['B', hls(was, '8')],
    ],
    next: [
      ['B', hls(is, '8')],
      ['Renamed', hls(is, '7')],
    ],
    continues: [1, 0],
  },
  {
    what: 'paths that differ in a hash alone are two addresses',
    previous: [['A', `http://tvh/stream/channel/${was}`, null, 'G']],
    next: [['B', `http://tvh/stream/channel/${is}`, null, 'G']],
    continues: [null],
  },
  {
    what: 'the long numbers in the paths of RTSP servers are ids',
    previous: [
      ['A', 'rtsp://10.0.0.1:554/PLTV/88888888/224/3221226000/10000100000000060000000001234567_0.smil', null, 'G'],
    ],
    next: [
      ['B', 'rtsp://10.9.9.9/PLTV/88888888/224/3221226001/10000100000000060000000007654321_0.smil', null, 'G'],
      ['C', 'rtsp://10.9.9.9/PLTV/88888888/224/3221226000/10000100000000060000000001234567_0.smil', null, 'G'],
    ],
    continues: [null, 0],
  },
  {
    what: 'a group behind another relay is the same address',
    previous: [['A', 'http://192.168.1.1:4022/udp/239.1.0.1:5000']],
    next: [['B', 'http://relay.example:8080/rtp/239.1.0.1:5000']],
    continues: [0],
  },
  {
    what: 'a part of the path that changed in all addresses does not matter, whatever it is',
    previous: others((index) => `http://h/x7k/station-${index}/a`),
    next: others((index) => `http://h/q9z/station-${index}/a`).map(
      ([name, url, tvgId, group], index): Line => [index < 6 ? `Renamed ${index}` : name, url, tvgId, group],
    ),
    continues: [...Array(20).keys()],
  },
  {
    what: 'numbers that a new provider gave to other channels do not matter',
    previous: others((index) => `http://old.example/live/u/p/${index}.ts`),
    next: Array.from(
      { length: 20 },
      (_, index): Line => [`Foreign ${index * 7}`, `http://new.example/live/a/b/${index}.ts`, null, 'Others'],
    ),
    continues: Array(20).fill(null),
  },
  {
    what: 'guide ids that count the lines of a list do not matter when a line is put before them',
    previous: Array.from({ length: 20 }, (_, index): Line => [`Channel ${index}`, udp(index), `${index + 1}`, 'G']),
    next: [
      ['New', udp(99), '1', 'G'],
      ...Array.from(
        { length: 20 },
        (_, index): Line => [index < 3 ? `Renamed ${index * 3}` : `Channel ${index}`, udp(index), `${index + 2}`, 'G'],
      ),
    ],
    continues: [null, ...Array(20).keys()],
  },
  {
    what: 'a renamed channel in a renamed group is found by its address',
    previous: [...others(udp), ['A', udp(50), null, 'Others']],
    next: [
      ...others(udp).map(([name, url, tvgId]): Line => [name, url, tvgId, 'Rest']),
      ['Renamed', udp(50), null, 'Rest'],
    ],
    continues: [...Array(21).keys()],
  },
  {
    what: 'a name that only one entry of each list has, at another address in another group, is not enough',
    previous: [...others(udp), ['News', udp(50), null, 'UK']],
    next: [...others(udp), ['News', udp(51), null, 'DE']],
    continues: [...Array(20).keys(), null],
  },
  {
    what: 'names alone are enough where a whole list was regrouped and got addresses that tell nothing',
    previous: others((index) => `http://h/${was}${index}`).map(
      ([name, url]): Line => [name, url, null, `G${name.length}`],
    ),
    next: others((index) => `http://h/${is}${index}`).map(
      ([name, url], index): Line => [name, url, null, `H${index % 5}`],
    ),
    continues: [...Array(20).keys()],
  },
]);
