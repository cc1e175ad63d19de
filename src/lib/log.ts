import { type Logger, pino } from 'pino';

export type Log = Logger;
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * A log of plain lines on standard error, `2026-01-01T12:00:00.000Z info  message  key=value …`:
 * standard output is for what a command was asked to print.
 */
export function openLog(level: LogLevel): Log {
  const formatters = { level: (label: string) => ({ level: label }) };
  const destination = { write: (line: string) => process.stderr.write(formatLine(line)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters }, destination);
}

function formatLine(json: string): string {
  const { time, level, msg, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const pairs = Object.entries(fields).map(([key, value]) => `  ${key}=${formatValue(value)}`);
  return `${String(time)} ${String(level).padEnd(5)} ${String(msg)}${pairs.join('')}\n`;
}

function formatValue(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
