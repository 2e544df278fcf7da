import { DOMAIN, frontEndName } from '@ringdown/generated-calls';

/** A site of the company of the demo; `apps/demo/sites.json` names the same subnets, and `npm run demo` gives them to the system of this machine. */
export type Site = 'Oslo' | 'Bergen' | 'Lisbon' | 'Boston';

/** The first two numbers of the addresses of a site. */
const NETWORKS: Readonly<Record<Site, string>> = {
  Oslo: '10.20',
  Bergen: '10.21',
  Lisbon: '10.30',
  Boston: '10.40',
};

/** The subnets of the sites, as SITES_FILE has them; `apps/demo/sites.json` is the same. */
export const SITE_SUBNETS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(NETWORKS).map(([site, net]) => [site, [`${net}.0.0/16`]])),
  VPN: ['10.99.0.0/24'],
  Home: ['192.168.1.0/24'],
  'Data center': ['10.10.0.0/16'],
};

export interface AccessPoint {
  readonly bssid: string;
  readonly channel: number;
  readonly ssid: string;
}

/** The one with the defect: see `story.ts`. */
export const FAULTY_ACCESS_POINT: AccessPoint = { bssid: '9C-3D-CF-20-03-0C', channel: 36, ssid: 'Corp' };

export const ACCESS_POINTS: Readonly<Record<Site, AccessPoint>> = {
  Oslo: { bssid: '9C-3D-CF-20-01-0A', channel: 44, ssid: 'Corp' },
  Bergen: { bssid: '9C-3D-CF-21-01-0B', channel: 48, ssid: 'Corp' },
  Lisbon: { bssid: '70-F0-96-30-01-11', channel: 52, ssid: 'Corp' },
  Boston: { bssid: '70-F0-96-40-02-14', channel: 149, ssid: 'Corp' },
};

/** `10.20.3` for the third floor in Oslo: the subnet is its `.0`. */
export function floorOf(site: Site, floor: number): string {
  return `${NETWORKS[site]}.${floor}`;
}

export interface FrontEnd {
  readonly name: string;
  readonly pool: string;
  readonly ip: string;
}

const POOLS = ['pool-oslo', 'pool-lisbon'] as const;

export function demoFrontEnds(count: number): readonly FrontEnd[] {
  return Array.from({ length: count }, (_, index) => {
    const pool = POOLS[index % POOLS.length] ?? POOLS[0];
    return {
      name: frontEndName(index),
      pool: `${pool}.${DOMAIN}`,
      ip: `10.10.${(index % POOLS.length) + 1}.${index + 10}`,
    };
  });
}

export interface Trunk {
  readonly name: string;
  readonly carrier: string;
  readonly gateway: string;
  readonly prefix: string;
  /** The session border controller that its calls pass. */
  readonly border?: string;
}

/** The first one fails in the story. */
export const FAULTY_TRUNK: Trunk = { name: 'nordtel-oslo', carrier: 'Nordtel', gateway: '10.10.9.21', prefix: '+47 2' };

/** Some of its calls are one-way: see `story.ts`. */
export const ONE_WAY_TRUNK = 'bayline-boston';

export const TRUNKS: readonly [Trunk, ...Trunk[]] = [
  FAULTY_TRUNK,
  { name: 'iberia-lisbon', carrier: 'IberiaVoice', gateway: '10.10.9.31', prefix: '+351 21' },
  { name: ONE_WAY_TRUNK, carrier: 'Bayline', gateway: '10.10.9.41', prefix: '+1 617' },
];

/** Of a company in which one thing may be wrong: several trunks behind each. */
export const BORDER_CONTROLLERS = [`sbc1.${DOMAIN}`, `sbc2.${DOMAIN}`] as const;

export const MORE_TRUNKS: readonly [Trunk, ...Trunk[]] = [
  { ...FAULTY_TRUNK, border: BORDER_CONTROLLERS[0] },
  {
    name: 'fjordline-oslo',
    carrier: 'Fjordline',
    gateway: '10.10.9.22',
    prefix: '+47 5',
    border: BORDER_CONTROLLERS[0],
  },
  {
    name: 'westcall-bergen',
    carrier: 'Westcall',
    gateway: '10.10.9.23',
    prefix: '+47 55',
    border: BORDER_CONTROLLERS[0],
  },
  {
    name: 'iberia-lisbon',
    carrier: 'IberiaVoice',
    gateway: '10.10.9.31',
    prefix: '+351 21',
    border: BORDER_CONTROLLERS[1],
  },
  { name: 'tejo-lisbon', carrier: 'Tejo', gateway: '10.10.9.32', prefix: '+351 22', border: BORDER_CONTROLLERS[1] },
  { name: ONE_WAY_TRUNK, carrier: 'Bayline', gateway: '10.10.9.41', prefix: '+1 617', border: BORDER_CONTROLLERS[1] },
];

/** Of wireless adapters; all have the first one in the usual story. */
export const DRIVERS = ['AX211 160MHz', 'QCA6390', 'BCM4389'] as const;

/** Of calls within the company, the first one twice as often. */
export const CODECS = ['SILK/16000', 'SILK/16000', 'opus/48000/2', 'G722/8000'] as const;

/** Media relay for people outside of the company's network. */
export const RELAY = '198.51.100.9';
export const CONFERENCE_SERVER = '10.10.8.15';
