import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { people } from './people.js';

describe('the sites of the demo', () => {
  it('have the address of each person in SITES_FILE', () => {
    const text = readFileSync(new URL('../../../sites.json', import.meta.url), 'utf8');
    const sites: Readonly<Record<string, readonly string[]>> = JSON.parse(text);
    const siteOf = (ip: string): string | undefined =>
      Object.keys(sites).find((site) => {
        const subnets = new BlockList();
        for (const [net = '', length] of (sites[site] ?? []).map((subnet) => subnet.split('/')))
          subnets.addSubnet(net, Number(length));
        return subnets.check(ip);
      });
    const expected = people.map(
      ({ site, connection }) => ({ wired: site, wifi: site, home: 'Home', vpn: 'VPN' })[connection],
    );
    expect(people.map(({ ip }) => siteOf(ip))).toEqual(expected);
    expect(new Set(people.map(({ ip }) => ip)).size).toBe(people.length);
  });
});
