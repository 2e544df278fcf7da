import { SubscriptionFilter, type FilteredParty } from './subscription-filter.js';
import { readSubscription } from './subscription.js';

function filter(filters: Record<string, string>): SubscriptionFilter {
  return new SubscriptionFilter(readSubscription({ name: 'a', submituri: 'http://a.test/', ...filters }));
}

const alice: FilteredParty = { uri: 'sip:alice@sales.example.test:5061;gruu', ip: '192.0.2.10', tenantId: 'T1' };
const bob: FilteredParty = { uri: 'sip:bob@other.test', ip: '2001:db8::7', trunk: 'Trunk-1' };

describe('a filter of calls', () => {
  it('lets everything pass when there is none', () => {
    expect(filter({}).passes('c', [])).toBe(true);
  });

  it.each([
    ['domainfilters', 'EXAMPLE.test', true],
    ['domainfilters', 'nowhere.test, other', true],
    ['domainfilters', 'alice', false],
    ['subnetfilters', '192.0.2.0/24', true],
    ['subnetfilters', '2001:db8::/64', true],
    ['subnetfilters', '198.51.100.0/24', false],
    ['tenantfilters', 't1', true],
    ['tenantfilters', 'T', false],
    ['trunkfilters', 'trunk-1,x', true],
    ['trunkfilters', 'y', false],
  ])('with %s %j lets the call pass: %j', (kind, value, passes) => {
    expect(filter({ [kind]: value }).passes('c', [alice, bob])).toBe(passes);
  });

  it('wants every kind that it has, of whichever party', () => {
    expect(filter({ domainfilters: 'example', trunkfilters: 'trunk-1' }).passes('c', [alice, bob])).toBe(true);
    expect(filter({ domainfilters: 'example', trunkfilters: 'trunk-2' }).passes('c', [alice, bob])).toBe(false);
  });

  it('remembers what a call has shown, for its records that name less', () => {
    const both = filter({ domainfilters: 'example', trunkfilters: 'trunk-1' });
    expect(both.passes('c', [alice])).toBe(false);
    expect(both.passes('c', [bob])).toBe(true);
    expect(both.passes('c', [{}])).toBe(true);
    expect(both.passes('another', [{}])).toBe(false);
  });

  it('is not misled by what is no address', () => {
    const networks = filter({ subnetfilters: '0.0.0.0/0' });
    expect(networks.passes('c', [{ ip: 'unknown' }, { ip: '' }, { ip: null }])).toBe(false);
  });
});
