import { BUNDLES_SUBJECT, bundleSubject, RECORDS_STREAM } from '@ringdown/contracts/records';
import { StreamWriter, type Bus } from '@ringdown/nats';
import { randomUUID } from 'node:crypto';

const CHECK_MS = 2_000;
const PROBE_MS = 1_000;
/** The server logs each attempt that its permissions do not allow. */
const NOT_ALLOWED_MS = 60_000;

/** Whether bundles can be stored and will be read. */
export interface BundleOffer {
  readonly isOpen: boolean;
  /** Looks again: a bundle could not be stored. Never rejects. */
  check(): Promise<void>;
}

/**
 * Whether all aggregators of this bus read bundles: one of them has then added their subject to the stream of records.
 * Until then, and on a bus whose permissions are those of an older version, each partition gets messages of its own.
 */
export class StreamBundleOffer implements BundleOffer {
  private open = false;
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

  async check(): Promise<void> {
    try {
      this.bus.assertConnected();
      const { config } = await this.bus.jsm.streams.info(RECORDS_STREAM);
      const isOffered = config.subjects.includes(BUNDLES_SUBJECT);
      this.open = isOffered && (this.open || (await this.isAllowed()));
    } catch {
      // The bus is away, and whatever is published now shows that: what was known remains.
    }
  }

  /** The permissions of an older version do not include the subject: a bundle without records is stored, or is not. */
  private async isAllowed(): Promise<boolean> {
    if (performance.now() < this.notAllowedUntil) return false;
    const probe = { subject: bundleSubject([]), body: '{"v":1,"records":[]}', id: randomUUID(), timeoutMs: PROBE_MS };
    try {
      await new StreamWriter(this.bus).store(probe);
      return true;
    } catch {
      this.notAllowedUntil = performance.now() + NOT_ALLOWED_MS;
      return false;
    }
  }
}
