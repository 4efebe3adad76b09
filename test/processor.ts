// The processor time of this thread: what other programs take of the machine does not count.

/** Milliseconds that this thread has computed since it began. */
export function computed(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
