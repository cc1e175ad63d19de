import type { ProgrammeContent } from '../../../src/model/programme.js';

const lang = (text: string, code: string | null = null) => ({ text, lang: code });
const image = { url: 'http://p/poster.jpg', type: 'poster', size: '2', orient: 'P', system: 'tmdb' };

/** All that the DTD knows of a programme, with what is easily written in a wrong way. */
export const whole: ProgrammeContent = {
  titles: [lang('Zoë & Çelik', 'de'), lang('<b>Zoe</b>')],
  subTitles: [lang('央视', 'zh')],
  descs: [lang('One\nTwo\r\nThree'), lang('')],
  credits: [
    { as: 'guest', name: 'G', role: null, guest: false, images: [], urls: [] },
    {
      as: 'actor',
      name: 'A',
      role: 'Him "self"',
      guest: true,
      images: [image],
      urls: [{ url: 'http://a', system: 'x' }],
    },
    { as: 'director', name: 'D', role: null, guest: false, images: [], urls: [] },
  ],
  date: '2024',
  categories: [lang('News', 'en'), lang('')],
  keywords: [lang('k')],
  language: lang('German'),
  origLanguage: lang('English', 'en'),
  length: { value: 60, units: 'minutes' },
  icons: [{ src: 'http://p/i.png?a=1&b=2', width: 100, height: 50 }],
  urls: [{ url: 'http://w/?a&b', system: null }],
  countries: [lang('DE')],
  episodes: [
    { system: null, value: 'S01E02' },
    { system: 'xmltv_ns', value: '0 . 1 . ' },
  ],
  video: { present: 'yes', colour: 'yes', aspect: '16:9', quality: 'HDTV' },
  audio: { present: 'yes', stereo: 'surround' },
  previouslyShown: { start: '20230101000000 +0000', channel: 'a"b' },
  premiere: lang(''),
  lastChance: lang('Last time'),
  isNew: true,
  subtitles: [
    { type: 'teletext', language: lang('German') },
    { type: 'burnt-in', language: null },
  ],
  ratings: [{ value: '12', system: 'FSK', icons: [{ src: 'http://p/12.png', width: null, height: null }] }],
  starRatings: [{ value: '4 / 5', system: null, icons: [] }],
  reviews: [{ type: 'text', value: 'Good', source: 'The Paper', reviewer: null, lang: 'en' }],
  images: [image, { url: 'http://p/2', type: 'banner', size: '9', orient: 'X', system: null }],
  attributes: { showview: '12', 'vps-start': '20240102120000 +0000' },
};

/** The same as it has to be written. */
export const written = [
  '<title lang="de">Zoë &amp; Çelik</title><title>&lt;b&gt;Zoe&lt;/b&gt;</title><sub-title lang="zh">央视</sub-title>',
  '<desc>One\nTwo\nThree</desc><credits><director>D</director><actor role="Him &quot;self&quot;" guest="yes">A',
  '<image type="poster" size="2" orient="P" system="tmdb">http://p/poster.jpg</image><url system="x">http://a</url></actor>',
  '<guest>G</guest></credits><date>2024</date><category lang="en">News</category><keyword>k</keyword>',
  '<language>German</language><orig-language lang="en">English</orig-language><length units="minutes">60</length>',
  '<icon src="http://p/i.png?a=1&amp;b=2" width="100" height="50"/><url>http://w/?a&amp;b</url><country>DE</country>',
  '<episode-num system="onscreen">S01E02</episode-num><episode-num system="xmltv_ns">0 . 1 .</episode-num>',
  '<video><present>yes</present><colour>yes</colour><aspect>16:9</aspect><quality>HDTV</quality></video>',
  '<audio><present>yes</present><stereo>surround</stereo></audio>',
  '<previously-shown start="20230101000000 +0000" channel="a&quot;b"/><premiere/><last-chance>Last time</last-chance><new/>',
  '<subtitles type="teletext"><language>German</language></subtitles><subtitles/>',
  '<rating system="FSK"><value>12</value><icon src="http://p/12.png"/></rating><star-rating><value>4 / 5</value></star-rating>',
  '<review type="text" source="The Paper" lang="en">Good</review>',
  '<image type="poster" size="2" orient="P" system="tmdb">http://p/poster.jpg</image><image>http://p/2</image>',
].join('');
