import { Mutex } from 'async-mutex';

/**
 * Runs work with the same key one after another, in the order of the calls, and work with different keys in parallel.
 */
export class KeyedMutex<K = string> {
  private readonly mutexes = new Map<K, Mutex>();

  /** Keys whose work is running or waiting; no other key uses memory. */
  get size(): number {
    return this.mutexes.size;
  }

  async runExclusive<T>(key: K, work: () => Promise<T>): Promise<T> {
    const mutex = this.mutexes.get(key) ?? new Mutex();
    this.mutexes.set(key, mutex);
    try {
      return await mutex.runExclusive(work);
    } finally {
      // Locked again already if another call waits. The key may have a new mutex if this call resumes after the next
      // one.
      if (!mutex.isLocked() && this.mutexes.get(key) === mutex) this.mutexes.delete(key);
    }
  }
}
