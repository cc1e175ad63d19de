/** Whether it is the name of an encoding that can be read (WHATWG Encoding §4.2), such as `windows-1251`. */
export function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}
