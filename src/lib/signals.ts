type Signals = {
  /** SIGTERM, SIGINT. */
  readonly stop: () => Promise<void>;
  /** SIGUSR2. */
  readonly leave: () => Promise<void>;
  /** SIGHUP. */
  readonly refresh: () => void;
  /** Told when ending failed or took too long; the process ends with 1 then. */
  readonly failed: (error: unknown) => void;
};

/** Milliseconds until an end that hangs is cut short. */
const deadline = 4500;

/** Ends the process when it is asked to, 0 when everything was put away. Returns what undoes this. */
export function obeySignals({ stop, leave, refresh, failed }: Signals): () => void {
  let ending = false;
  const end = (how: () => Promise<void>) => async () => {
    if (ending) return;
    ending = true;
    const late = new Promise((_, reject) => {
      setTimeout(() => reject(new Error(`not ended after ${deadline} ms`)), deadline);
    });
    try {
      await Promise.race([how(), late]);
      process.exit(0);
    } catch (error) {
      failed(error);
      process.exit(1);
    }
  };
  const handlers = { SIGTERM: end(stop), SIGINT: end(stop), SIGUSR2: end(leave), SIGHUP: refresh } as const;
  const each = Object.entries(handlers) as [keyof typeof handlers, () => void][];
  for (const [signal, handler] of each) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of each) process.off(signal, handler);
  };
}
