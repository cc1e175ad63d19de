/** Waits for work, but not longer than so many milliseconds; the work goes on. @throws what the work throws in time. */
export async function withPatience(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
