import { errorReason } from '@ringdown/errors';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { Logger } from '@ringdown/observability';
import type { Call } from '../calls/call.js';
import { TimeLimitedHiding, type HideOne } from '../search/names/time-limited-hiding.js';
import { withSites, type SiteLookup } from '../search/sites/site-table.js';
import type { CallsInProgress } from '../store/calls/call-queries.js';

export interface LiveTextsOptions {
  readonly hiding: Pick<IdentityHiding, 'data' | 'outline'>;
  readonly sites: SiteLookup;
  /** The longest time for hiding the users of one call. */
  readonly limitMs: number;
  readonly logger: Pick<Logger, 'error'>;
}

/** JSON for readers, serialized once for all readers with the same access. Calls are not changed after this point. */
export class LiveTexts {
  private readonly shown = new WeakMap<object, string>();
  private readonly hiddenCalls = new WeakMap<Call, Promise<string | undefined>>();
  private readonly hiddenSnapshots = new WeakMap<CallsInProgress, Promise<string>>();
  private readonly limitedHiding: TimeLimitedHiding;

  constructor(private readonly options: LiveTextsOptions) {
    this.limitedHiding = new TimeLimitedHiding(options);
  }

  /** Undefined for a call in which users cannot be hidden. */
  ofCall(call: Call, isShown: boolean): Promise<string | undefined> {
    if (isShown) return Promise.resolve(this.shownText(call, () => this.withSites(call)));
    return onceFor(this.hiddenCalls, call, () => this.hiddenCall(call));
  }

  /**
   * When users are hidden and there is much to hide, it contains only the newest calls; it includes the total number.
   */
  ofSnapshot(inProgress: CallsInProgress, isShown: boolean): Promise<string> {
    if (isShown) {
      const placed = (): object => ({ ...inProgress, calls: inProgress.calls.map((call) => this.withSites(call)) });
      return Promise.resolve(this.shownText(inProgress, placed));
    }
    return onceFor(this.hiddenSnapshots, inProgress, () => this.hiddenSnapshot(inProgress));
  }

  private shownText(key: object, content: () => object): string {
    const text = this.shown.get(key) ?? JSON.stringify(content());
    this.shown.set(key, text);
    return text;
  }

  private async hiddenCall(call: Call): Promise<string | undefined> {
    const [text] = await this.limitedHiding.first([call], (each, hide) => this.textOf(each, hide));
    return text;
  }

  private async hiddenSnapshot({ calls, ...numbers }: CallsInProgress): Promise<string> {
    const texts = await this.limitedHiding.first(calls, (call, hide) => this.textOf(call, hide));
    return `{"calls":[${texts.filter((text) => text !== undefined).join(',')}],${JSON.stringify(numbers).slice(1)}`;
  }

  private withSites(call: Call): Call {
    return withSites(call, this.options.sites);
  }

  private textOf(call: Call, hide: HideOne): string | undefined {
    try {
      return JSON.stringify(this.withSites(hide(call)));
    } catch (error) {
      const { callId } = call;
      const reason = errorReason(error);
      this.options.logger.error({ callId, reason }, 'users could not be hidden for readers of the live stream');
      return undefined;
    }
  }
}

function onceFor<K extends object, T>(made: WeakMap<K, Promise<T>>, key: K, make: () => Promise<T>): Promise<T> {
  const known = made.get(key);
  if (known !== undefined) return known;
  const making = make();
  made.set(key, making);
  return making;
}
