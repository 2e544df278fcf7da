/** A call that a REFER or a redirection asks for. All addresses are addresses of record. */
export interface ExpectedCall {
  readonly conversationId: string;
  /** The Call-ID of the call that was redirected; undefined if a REFER asks for the call. */
  readonly redirected?: string;
  /** The REFER that asks for it. */
  readonly refer?: string;
  readonly target: string;
  /** Who should call. */
  readonly caller: string;
  /** Who may be named in Referred-By. */
  readonly referrers: readonly string[];
  until: number;
}

/** What a new INVITE shows of why it was sent. */
export interface NewCall {
  readonly targets: readonly string[];
  readonly caller: string;
  readonly referredBy: readonly string[];
}

/** The longest time until the call that a REFER or a redirection asks for. */
export const EXPECTED_MS = 60_000;
/** The legs that a back-to-back user agent makes of that call follow each other closely. */
const LEGS_MS = 5_000;
const KEY_LIMIT = 2_000;
/** Calls transferred to one address at the same time, such as a queue. */
const CALLS_PER_KEY = 16;

/** The calls that are expected soon. Bounded: the oldest is dropped. */
export class ExpectedCalls {
  private readonly byKey = new Map<string, readonly ExpectedCall[]>();
  private readonly byRefer = new Map<string, ExpectedCall>();

  add(call: ExpectedCall, now: number): void {
    this.put(targetKey(call.target), call, now);
    if (call.refer !== undefined) setBounded(this.byRefer, call.refer, call);
    for (const referrer of call.referrers) this.put(referrerKey(referrer, call.caller), call, now);
  }

  get isEmpty(): boolean {
    return this.byKey.size === 0;
  }

  /** The REFER was rejected. */
  removeRefer(refer: string): void {
    const call = this.byRefer.get(refer);
    if (call) call.until = 0;
    this.byRefer.delete(refer);
  }

  /** The newest that a new INVITE fits. `isOpen`: whether nothing else has become of it. */
  find(invite: NewCall, now: number, isOpen: (call: ExpectedCall) => boolean): ExpectedCall | undefined {
    const isAwaited = (call: ExpectedCall): boolean => call.until > now && isOpen(call);
    const found = this.byTarget(invite, isAwaited) ?? this.byReferrer(invite, isAwaited);
    if (found) found.until = Math.min(found.until, now + LEGS_MS);
    return found;
  }

  /** The right caller at the right address; a proxy or an agent that calls instead names the referrer. */
  private byTarget(
    { targets, caller, referredBy }: NewCall,
    isAwaited: (call: ExpectedCall) => boolean,
  ): ExpectedCall | undefined {
    const isFrom = (call: ExpectedCall): boolean =>
      call.caller === caller || call.referrers.some((referrer) => referredBy.includes(referrer));
    return targets
      .flatMap((target) => this.byKey.get(targetKey(target)) ?? [])
      .findLast((call) => isFrom(call) && isAwaited(call));
  }

  /** The target may have been rewritten: caller and referrer identify the call, if they do so for one conversation. */
  private byReferrer(
    { caller, referredBy }: NewCall,
    isAwaited: (call: ExpectedCall) => boolean,
  ): ExpectedCall | undefined {
    const calls = referredBy.flatMap((referrer) => this.byKey.get(referrerKey(referrer, caller)) ?? []);
    const awaited = calls.filter(isAwaited);
    return new Set(awaited.map(({ conversationId }) => conversationId)).size === 1 ? awaited.at(-1) : undefined;
  }

  private put(key: string, call: ExpectedCall, now: number): void {
    const others = this.byKey.get(key)?.filter(({ until }) => until > now) ?? [];
    setBounded(this.byKey, key, [...others.slice(1 - CALLS_PER_KEY), call]);
  }
}

function setBounded<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > KEY_LIMIT && oldest !== undefined) map.delete(oldest);
}

function targetKey(target: string): string {
  return `to ${target}`;
}

function referrerKey(referrer: string, caller: string): string {
  return `by ${referrer} ${caller}`;
}
