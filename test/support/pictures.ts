/** The beginnings of raster files, each followed by a few bytes, by the type that they are. */
export const pictures: Readonly<Record<string, Buffer>> = {
  'image/png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  'image/jpeg': Buffer.from('ffd8ffe000104a464946', 'hex'),
  'image/gif': Buffer.from('GIF89a<svg onload=alert(1)>'),
  'image/webp': Buffer.from('RIFF\x1a\0\0\0WEBPVP8 ', 'latin1'),
  'image/avif': Buffer.from('\0\0\0\x1cftypmif1\0\0\0\0avifmif1miaf\0\0\0\0', 'latin1'),
  'image/bmp': Buffer.from(`424d1a0000000000000036000000${'28000000'}${'00'.repeat(16)}`, 'hex'),
  'image/x-icon': Buffer.from(`00000100010010100000010020006804000016000000${'00'.repeat(8)}`, 'hex'),
};

/** A PNG of so many bytes, another one for each seed. */
export function png(size: number, seed = 0): Buffer {
  const bytes = Buffer.alloc(size, seed);
  pictures['image/png']?.copy(bytes);
  return bytes;
}
