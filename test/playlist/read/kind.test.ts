import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlaylist } from '../../../src/playlist/read/read.js';

/** EXTINF line without its `#EXTINF:`, lines before the address, the address. */
type Case = readonly [extinf: string, url: string, ...directives: string[]];

function kindOf([extinf, url, ...directives]: Case): string | undefined {
  const lines = ['#EXTM3U', `#EXTINF:${extinf}`, ...directives, url];
  return readPlaylist(Buffer.from(lines.join('\n'))).entries[0]?.kind;
}

const live: Case[] = [
  ['-1 group-title="Movies",Film 4', 'http://h/live/u/p/1.ts'],
  ['-1 group-title="Movies",Film 4', 'http://h:8080/u/p/1'],
  ['-1 group-title="Series",24/7 Friends', 'http://h:8080/u/p/2.m3u8'],
  ['601 group-title="Movies",Film 4', 'http://h/u/p/601'],
  ['1,One', 'http://h/one.m3u8'],
  ['0,T', 'https://h/x.m3u8'],
  ['7200 group-title="VOD",Not sent as a file', 'udp://239.1.1.1:1'],
  ['-1 group-title="VOD",Loop', 'http://h/vod-loop/index.m3u8'],
  ['-1,Camera', 'rtsp://h/movie/u/p/1.mp4'],
  ['-1,Camera', 'http://h/api/stream.mp4?src=door'],
  ['-1,Camera', 'http://h/live/door.mp4'],
  ['-1,Channel', 'http://h/channels/7.mp4'],
  ['-1,Flash', 'http://h/live/one.flv'],
  ['-1,One', 'http://h/play?file=film.mkv'],
  ['-1,One', 'http://movie.example/series.m3u8'],
  ['-1,One', 'http://h/movie/index.m3u8'],
  ['-1,One', 'http://h/series/one/index.m3u8'],
  ['-1 radio="true",Radio', 'http://h/radio.mp4'],
  ['-1 catchup="shift" catchup-days="3",One', 'http://h/movies/1.mp4'],
  ['-1 tvg-type="live",One', 'http://h/movie/u/p/1.mkv'],
  ['-1 tvg-logo="http://l/?media=1",One', 'http://h/1.ts'],
  ['-1,Ser1e1 TV', 'http://h/1.ts'],
];

for (const extinf of live) {
  test(`live stays live: #EXTINF:${extinf.join(' ')}`, () => {
    assert.equal(kindOf(extinf), 'live');
  });
}

const movies: Case[] = [
  ['-1 group-title="Films",Film', 'http://h:8080/movie/u/p/1.mkv'],
  ['-1,Film', 'http://h:8080/movie/u/p/1'],
  ['-1,Film', 'https://h/a/film.mp4?token=x'],
  ['-1,Film', 'http://h/films/Film%20(2019).avi'],
  ['5400,Film', 'http://h/film.mpg'],
  ['5400 group-title="VOD: Action",Film', 'http://h/u/p/77'],
  ['-1 group-title="VOD",Film', 'http://h/vod/77/index.m3u8'],
  ['-1 tvg-type="movie",Film', 'http://h/u/p/77'],
  ['-1 type="Movies",Film', 'http://h/u/p/77.ts'],
  ['-1 media="true",Film', 'http://h/u/p/77.ts'],
  ['-1,Film', 'http://h/77.m3u8', '#EXT-X-PLAYLIST-TYPE:VOD'],
  ['-1 group-title="点播",Film', 'http://h/vod/77'],
];

for (const extinf of movies) {
  test(`a movie: #EXTINF:${extinf.join(' ')}`, () => {
    assert.equal(kindOf(extinf), 'movie');
  });
}

const series: Case[] = [
  ['-1 group-title="Shows",Show S01 E02', 'http://h:8080/series/u/p/1.mkv'],
  ['-1,Show S01E02', 'http://h/show.mp4'],
  ['-1,Show 1x02', 'http://h/show.mkv'],
  ['-1 group-title="Séries | FR",Show', 'http://h/show.mkv'],
  ['-1 group-title="电视剧",Show', 'http://h/show.mkv'],
  ['-1 tvg-type="tvshows",Show', 'http://h/u/p/77'],
  ['2700 group-title="VOD",Show S01E02', 'http://h/u/p/77'],
];

for (const extinf of series) {
  test(`a series: #EXTINF:${extinf.join(' ')}`, () => {
    assert.equal(kindOf(extinf), 'series');
  });
}

test('a TXT list has movies too', () => {
  const { entries } = readPlaylist(Buffer.from('Films,#genre#\nFilm,http://h/film.mkv\nOne,http://h/1.m3u8'));
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['movie', 'live'],
  );
});
