import { type ErrorCode, WeirError } from '../../lib/errors.js';

/** Why a session of RTSP could not be had: names the host, the step and what the server said. */
export class RtspFault extends WeirError {
  /** Of the answer (RFC 2326 §7.1.1), or null when there was none. */
  readonly status: number | null;

  constructor(code: ErrorCode, message: string, status: number | null = null, options: { retryAfter?: number } = {}) {
    super(code, message, options);
    this.name = 'RtspFault';
    this.status = status;
  }
}
