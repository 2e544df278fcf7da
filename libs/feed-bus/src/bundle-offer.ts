import { BUNDLES_SUBJECT, bundleSubject, RECORDS_STREAM } from '@ringdown/contracts/records';
import { isNotAllowed, type Bus } from '@ringdown/nats';
import { NoStreamStores, StreamWriter } from '@ringdown/nats/streams';
import { randomUUID } from 'node:crypto';

const CHECK_MS = 2_000;
const PROBE_MS = 1_000;
/** The server logs each attempt that its permissions do not allow. */
const NOT_ALLOWED_MS = 60_000;

/** Whether bundles can be stored and will be read. */
export interface BundleOffer {
  readonly isOpen: boolean;
  /** Looks again; `failure`: why a bundle could not be stored. Never rejects. */
  check(failure?: unknown): Promise<void>;
}

/**
 * Whether all aggregators of this bus read bundles: one of them has then added their subject to the stream of records.
 * Until then, and on a bus whose permissions are those of an older version, each partition gets messages of its own.
 */
export class StreamBundleOffer implements BundleOffer {
  private open = false;
  /** The server has refused a bundle since it was known that they can be stored. */
  private isDoubted = false;
  private checking: Promise<void> | undefined;
  private notAllowedUntil = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly bus: Bus) {}

  get isOpen(): boolean {
    return this.open;
  }

  /** Resolves when it is known for the first time; checked regularly from then on. */
  async follow(): Promise<void> {
    await this.check();
    this.timer ??= setInterval(() => void this.check(), CHECK_MS).unref();
  }

  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  check(failure?: unknown): Promise<void> {
    if (isRefusal(failure)) this.isDoubted = true;
    // A bus that does not answer is not asked again meanwhile.
    this.checking ??= this.look().finally(() => (this.checking = undefined));
    return this.checking;
  }

  private async look(): Promise<void> {
    try {
      this.bus.assertConnected();
      const { config } = await this.bus.jsm.streams.info(RECORDS_STREAM);
      const isOffered = config.subjects.includes(BUNDLES_SUBJECT);
      const isKnown = this.open && !this.isDoubted;
      this.open = isOffered && (isKnown || (await this.isAllowed()));
      this.isDoubted = false;
    } catch {
      // The bus is away or busy, and whatever is published now shows that: what was known remains.
    }
  }

  /**
   * The permissions of an older version do not include the subject: a bundle without records is stored, or is not. Rejects
   * when neither is known.
   */
  private async isAllowed(): Promise<boolean> {
    if (performance.now() < this.notAllowedUntil) return false;
    const probe = { subject: bundleSubject([]), body: '{"v":1,"records":[]}', id: randomUUID(), timeoutMs: PROBE_MS };
    try {
      await new StreamWriter(this.bus).store(probe);
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (isNotAllowed(error)) this.notAllowedUntil = performance.now() + NOT_ALLOWED_MS;
      return false;
    }
  }
}

/** Whether the server does not take bundles, or not from this connection; a stream that is slow refuses nothing. */
function isRefusal(error: unknown): boolean {
  return isNotAllowed(error) || error instanceof NoStreamStores;
}
