import type { Network } from '@ringdown/settings';
import { isIP, BlockList } from 'node:net';
import type { SubscriberSettings } from './subscription.js';

/** The fields that filters read: everything that names a party of a record or a call. */
export interface FilteredParty {
  readonly uri?: string | null;
  readonly ip?: string | null;
  readonly tenantId?: string | null;
  readonly trunk?: string | null;
}

type Filters = Pick<SubscriberSettings, 'domainfilters' | 'subnetfilters' | 'tenantfilters' | 'trunkfilters'>;
type Test = (party: FilteredParty) => boolean;

/** Bound of remembered calls, many times the number of concurrent calls. */
const REMEMBERED_CALLS = 100_000;

/**
 * Selects the calls of a subscriber: for each configured kind of filter, one party has to match. A match is
 * remembered for the call, because later records (especially its end) may contain only ids.
 */
export class SubscriptionFilter {
  private readonly tests: readonly Test[];
  /** Passed tests by call key; the least recently used calls are dropped first. */
  private readonly passed = new Map<string, ReadonlySet<Test>>();

  constructor(filters: Filters) {
    this.tests = testsOf(filters);
  }

  passes(callKey: string, parties: readonly FilteredParty[]): boolean {
    if (this.tests.length === 0) return true;
    const before = this.passed.get(callKey);
    const now = new Set(this.tests.filter((test) => before?.has(test) === true || parties.some(test)));
    this.passed.delete(callKey);
    if (now.size > 0) this.remember(callKey, now);
    return now.size === this.tests.length;
  }

  private remember(callKey: string, passed: ReadonlySet<Test>): void {
    this.passed.set(callKey, passed);
    const [oldest] = this.passed.size > REMEMBERED_CALLS ? this.passed.keys() : [];
    if (oldest !== undefined) this.passed.delete(oldest);
  }
}

function testsOf({ domainfilters, subnetfilters, tenantfilters, trunkfilters }: Filters): readonly Test[] {
  const tests: Test[] = [];
  if (domainfilters) {
    const domains = domainfilters.map((domain) => domain.toLowerCase());
    tests.push(({ uri }) => {
      const host = hostOf(uri);
      return host !== undefined && domains.some((domain) => host.includes(domain));
    });
  }
  if (subnetfilters) {
    const networks = blockListOf(subnetfilters);
    tests.push(
      ({ ip }) => typeof ip === 'string' && isIP(ip) > 0 && networks.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4'),
    );
  }
  if (tenantfilters) tests.push(partyValueTest(tenantfilters, ({ tenantId }) => tenantId));
  if (trunkfilters) tests.push(partyValueTest(trunkfilters, ({ trunk }) => trunk));
  return tests;
}

function partyValueTest(wanted: readonly string[], valueOf: (party: FilteredParty) => string | null | undefined): Test {
  const values = new Set(wanted.map((value) => value.toLowerCase()));
  return (party) => values.has(valueOf(party)?.toLowerCase() ?? '');
}

/** `example.test` of `sip:alice@example.test:5061;transport=tls`. */
function hostOf(uri: string | null | undefined): string | undefined {
  return /@([^:;>?\s]+)/.exec(uri ?? '')?.[1]?.toLowerCase();
}

function blockListOf(networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family);
  return list;
}
