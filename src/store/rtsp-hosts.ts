/** The servers of RTSP that lists in service name, in addresses and in templates. */
export interface RtspHosts {
  /** `host` in any case, an IPv6 address without brackets. */
  has(host: string, port: number): Promise<boolean>;
}
