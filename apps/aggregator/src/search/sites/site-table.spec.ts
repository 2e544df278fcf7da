import { SiteTable, withSites } from './site-table.js';

const table = new SiteTable([
  { site: 'All', net: '10.0.0.0/8' },
  { site: 'Oslo', net: '10.1.0.0/16' },
  { site: 'Lab', net: '10.1.5.0/24' },
  { site: 'Lab', net: '2001:db8::/32' },
  { site: 'Edge', net: '203.0.113.77/32' },
]);

describe('the site of an address', () => {
  it.each([
    ['10.1.5.9', 'Lab'],
    ['10.1.6.9', 'Oslo'],
    ['10.2.0.1', 'All'],
    ['203.0.113.77', 'Edge'],
    ['::ffff:10.1.5.9', 'Lab'],
    ['2001:db8::5', 'Lab'],
    // The same first bits in the other family.
    ['a01:500::', undefined],
    ['192.0.2.1', undefined],
    ['hidden-0123456789abcdef', undefined],
    ['1'.repeat(10_000), undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s is that of the longest subnet: %s', (address, site) => {
    expect(table.siteOf(address)).toBe(site);
  });

  it('is unknown without sites', () => {
    expect(new SiteTable([]).siteOf('10.1.5.9')).toBeUndefined();
  });
});

describe('the site of a party', () => {
  it('is that of its address, else of its address outside of the NAT, and not of its relay', () => {
    const [inside, outside, relayed] = [
      { ip: '10.1.0.9', reflexiveIp: '203.0.113.77' },
      { ip: '192.168.1.5', reflexiveIp: '203.0.113.77' },
      { ip: '192.168.1.5', relay: '10.1.5.1' },
    ];
    expect(withSites({ parties: [inside, outside, relayed] }, table).parties).toEqual([
      { ...inside, site: 'Oslo' },
      { ...outside, site: 'Edge' },
      relayed,
    ]);
  });
});
