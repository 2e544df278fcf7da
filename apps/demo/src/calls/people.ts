import { deviceId, DOMAIN } from '@ringdown/generated-calls';
import { ACCESS_POINTS, DRIVERS, FAULTY_ACCESS_POINT, floorOf, type AccessPoint, type Site } from './places.js';

/** How a person is connected. `home`: over the internet; `vpn`: from there through the company's VPN. */
export type Connection = 'wired' | 'wifi' | 'home' | 'vpn';

export interface Device {
  readonly userAgent: string;
  /** Class of the user agent in records: 4 desktop client, 8 desk phone. */
  readonly type: number;
  readonly os: string | undefined;
  readonly cpu: string | undefined;
}

export interface Person {
  readonly address: string;
  readonly site: Site;
  readonly connection: Connection;
  readonly ip: string;
  readonly subnet: string;
  readonly epId: string;
  readonly mac: string;
  readonly accessPoint: AccessPoint | undefined;
  readonly device: Device;
  readonly headset: string;
}

/** Its microphone echoes: see `measurements.ts`. */
export const FAULTY_HEADSET = 'Sonora 210 USB';

const WINDOWS: Device = {
  userAgent: 'Softphone/16.0.4266 (Windows)',
  type: 4,
  os: 'Windows 11 23H2',
  cpu: 'Core i7-1260P',
};
const MAC: Device = { userAgent: 'Softphone/16.4.1 (macOS)', type: 4, os: 'macOS 15.1', cpu: 'Apple M3' };
const MOBILE: Device = { userAgent: 'MobileApp/9.3 (Android)', type: 16, os: 'Android 15', cpu: undefined };
const DESK_PHONE: Device = { userAgent: 'DeskPhone/4.2.1', type: 8, os: undefined, cpu: undefined };
const ROOM: Device = { userAgent: 'RoomSystem/2.1', type: 32, os: 'Linux 6.1', cpu: 'Celeron 7305' };

/** Name, site, floor, connection, device, headset. */
type Row = readonly [string, Site, number, Connection, Device, string];

/** The first three are also the first users of the directory. */
const NAMED: readonly Row[] = [
  ['alice', 'Oslo', 2, 'wired', WINDOWS, 'Jubilee Pro 45'],
  ['bob', 'Lisbon', 1, 'wifi', MAC, 'Jubilee Pro 45'],
  ['carol', 'Oslo', 3, 'wifi', WINDOWS, 'Plantar Voice 4320'],
  ['dan', 'Oslo', 3, 'wifi', WINDOWS, 'Jubilee Pro 45'],
  ['erin', 'Oslo', 3, 'wifi', MAC, 'Built-in microphone'],
  ['frank', 'Oslo', 3, 'wifi', MOBILE, 'Handset'],
  ['grace', 'Oslo', 2, 'wired', DESK_PHONE, 'Handset'],
  ['heidi', 'Oslo', 1, 'wired', DESK_PHONE, 'Handset'],
  ['ivan', 'Bergen', 1, 'wired', WINDOWS, FAULTY_HEADSET],
  ['judy', 'Bergen', 1, 'wifi', MAC, 'Jubilee Pro 45'],
  ['karl', 'Bergen', 1, 'wired', DESK_PHONE, 'Handset'],
  ['laura', 'Bergen', 2, 'wifi', WINDOWS, 'Plantar Voice 4320'],
  ['mallory', 'Lisbon', 1, 'wired', WINDOWS, FAULTY_HEADSET],
  ['nuno', 'Lisbon', 1, 'wifi', WINDOWS, 'Jubilee Pro 45'],
  ['olivia', 'Lisbon', 2, 'wired', DESK_PHONE, 'Handset'],
  ['peggy', 'Lisbon', 2, 'home', MAC, 'Built-in microphone'],
  ['quentin', 'Lisbon', 2, 'vpn', WINDOWS, 'Plantar Voice 4320'],
  ['rupert', 'Boston', 1, 'wired', WINDOWS, 'Jubilee Pro 45'],
  ['sybil', 'Boston', 1, 'wifi', MAC, 'Jubilee Pro 45'],
  ['trent', 'Boston', 1, 'wired', DESK_PHONE, 'Handset'],
  ['ursula', 'Boston', 2, 'home', WINDOWS, FAULTY_HEADSET],
  ['victor', 'Boston', 2, 'vpn', MAC, 'Plantar Voice 4320'],
  ['wendy', 'Oslo', 1, 'home', WINDOWS, 'Jubilee Pro 45'],
  ['xavier', 'Oslo', 2, 'wired', WINDOWS, 'Plantar Voice 4320'],
  ['yvonne', 'Oslo', 2, 'wifi', MOBILE, 'Handset'],
  ['zoe', 'Bergen', 2, 'wired', DESK_PHONE, 'Handset'],
  ['room.fjord', 'Oslo', 4, 'wired', ROOM, 'Ceiling microphone'],
  ['room.tejo', 'Lisbon', 3, 'wired', ROOM, 'Ceiling microphone'],
  ['reception.oslo', 'Oslo', 1, 'wired', DESK_PHONE, 'Handset'],
  ['support', 'Boston', 1, 'wired', DESK_PHONE, 'Handset'],
  ['anders', 'Oslo', 4, 'wired', WINDOWS, 'Jubilee Pro 45'],
  ['beatriz', 'Lisbon', 1, 'wired', WINDOWS, 'Plantar Voice 4320'],
  ['connor', 'Boston', 2, 'wired', MAC, 'Jubilee Pro 45'],
  ['dagny', 'Bergen', 1, 'home', MAC, 'Jubilee Pro 45'],
  ['emil', 'Oslo', 4, 'wired', DESK_PHONE, 'Handset'],
  ['filipa', 'Lisbon', 2, 'wired', WINDOWS, 'Jubilee Pro 45'],
  ['george', 'Boston', 1, 'wired', DESK_PHONE, 'Handset'],
  ['hanna', 'Oslo', 3, 'wired', DESK_PHONE, 'Handset'],
  ['ines', 'Lisbon', 1, 'wifi', MOBILE, 'Handset'],
  ['jack', 'Boston', 2, 'wifi', WINDOWS, 'Plantar Voice 4320'],
  ['kari', 'Oslo', 1, 'wired', WINDOWS, 'Jubilee Pro 45'],
  ['leif', 'Bergen', 2, 'wired', WINDOWS, 'Plantar Voice 4320'],
];

const FIRST_NAMES = [
  'ada',
  'bjorn',
  'clara',
  'david',
  'elin',
  'fabio',
  'gina',
  'harald',
  'iris',
  'joao',
  'kim',
  'lena',
  'marta',
  'nils',
  'oda',
];
const LAST_NAMES = ['berg', 'costa', 'dahl', 'evans', 'fonseca', 'greene'];

/** The other people of the company: most have a laptop on Wi-Fi or a phone on a desk. */
const OTHERS = FIRST_NAMES.flatMap((first, row) =>
  LAST_NAMES.map((last, column): Row => {
    const number = row * LAST_NAMES.length + column;
    const site = (['Oslo', 'Lisbon', 'Oslo', 'Boston', 'Bergen'] as const)[number % 5] ?? 'Oslo';
    const isMobile = number % 7 === 3;
    const connection = number % 11 === 5 ? 'home' : isMobile || number % 4 === 1 ? 'wifi' : 'wired';
    const device = isMobile
      ? MOBILE
      : connection === 'wired' && number % 3 === 0
        ? DESK_PHONE
        : number % 2 === 0
          ? WINDOWS
          : MAC;
    const headset =
      device === MOBILE || device === DESK_PHONE
        ? 'Handset'
        : number % 5 === 1
          ? 'Plantar Voice 4320'
          : 'Jubilee Pro 45';
    return [`${first}.${last}`, site, (number % 3) + 1, connection, device, headset];
  }),
);

export const people: readonly Person[] = [...NAMED, ...OTHERS].map((row, index) => personFromRow(row, index));

/** Throws an Error if there is no such person. */
export function personNamed(name: string): Person {
  const found = people.find(({ address }) => address === `${name}@${DOMAIN}`);
  if (found === undefined) throw new Error(`nobody in the company is called ${name}`);
  return found;
}

/** Of the wireless adapter, in a company in which one thing may be wrong: each is at all sites. */
export function driverOf(person: Person): string {
  return DRIVERS[people.indexOf(person) % DRIVERS.length] ?? DRIVERS[0];
}

function personFromRow([name, site, floor, connection, device, headset]: Row, index: number): Person {
  const isInside = connection === 'wired' || connection === 'wifi';
  const net = isInside ? floorOf(site, floor) : connection === 'vpn' ? '10.99.0' : '192.168.1';
  const digits = index.toString(16).toUpperCase().padStart(2, '0');
  const home: AccessPoint = { bssid: `A4-91-B1-77-${digits}-01`, channel: 11, ssid: `Home-${digits}` };
  const corporate = site === 'Oslo' && floor === 3 ? FAULTY_ACCESS_POINT : ACCESS_POINTS[site];
  return {
    address: `${name}@${DOMAIN}`,
    site,
    connection,
    ip: `${net}.${20 + index}`,
    subnet: `${net}.0`,
    epId: deviceId(index),
    mac: `00-15-5D-20-${digits}-${digits}`,
    accessPoint: connection === 'wired' ? undefined : connection === 'wifi' ? corporate : home,
    device,
    headset,
  };
}
