import type { Call, Endpoint } from '../api/answers.js';
import { FILTERS } from '../api/catalogue.js';
import { formatBandwidth, visible, withUnit } from '../parts/format.js';
import { texts } from '../texts/call.js';

/** One property of a party as it is shown. */
export interface PartyFact {
  readonly label: string;
  readonly values: readonly FactValue[];
}

/** A value, and the filter that finds the calls with it, if there is one. */
export interface FactValue {
  readonly text: string;
  readonly filter?: readonly [name: string, value: string];
}

export interface PartyFacts {
  /** What usually explains a bad call. */
  readonly main: readonly PartyFact[];
  readonly more: readonly PartyFact[];
}

type Party = Call['parties'][number];
type Maybe = FactValue | undefined;

/** Longest values that the query API accepts; statistics and filters know only the first characters of a user agent. */
const LONGEST = { address: 255, other: 512, userAgent: 100 };

/** Everything that is known about one side of a call. A property that no record has is left out. */
export function partyFacts(party: Party): PartyFacts {
  return { main: present(mainFacts(party)), more: present(moreFacts(party)) };
}

function mainFacts(party: Party): readonly (readonly [string, ...Maybe[]])[] {
  const { userAgent, epType, captureDevice, renderDevice, os, connection, linkSpeed, wireless, vpn, inside } = party;
  return [
    [texts.facts.device, named('userAgent', userAgent), epType === 'LRS' ? { text: texts.roomSystem } : plain(epType)],
    [texts.facts.microphone, named('device', captureDevice)],
    [texts.facts.loudspeaker, named('device', renderDevice)],
    [texts.facts.system, named('os', os)],
    [
      texts.facts.link,
      connection === undefined
        ? wireless === true
          ? { text: texts.wireless }
          : undefined
        : { text: visible(connection), filter: ['connection', connectionKind(connection)] },
      linkSpeed === undefined ? undefined : { text: formatBandwidth(linkSpeed) },
    ],
    [texts.facts.wifi, named('ssid', party.ssid), signalOf(party)],
    [texts.facts.accessPoint, named('bssid', party.bssid), ...roamingOf(party)],
    [texts.facts.vpn, flag('vpn', vpn, texts.yes, texts.no)],
    [texts.facts.network, flag('inside', inside, texts.inside, texts.outside)],
    [texts.facts.site, named('site', party.site)],
    [texts.facts.address, address(party.ip, party.port), subnetFact(party.ip)],
    [texts.facts.outsideNat, address(party.reflexiveIp, party.reflexivePort)],
    [texts.facts.ownAddress, party.hostIp === party.ip ? undefined : plain(withPort(party.hostIp, party.hostPort))],
    [texts.facts.subnet, plain(party.subnet)],
    [texts.facts.relay, withFilter('relay', party.relay, withPort(party.relay, party.relayPort))],
    [texts.facts.trunk, named('trunk', party.trunk)],
  ];
}

function moreFacts(party: Party): readonly (readonly [string, ...Maybe[]])[] {
  const { dscpInbound, dscpOutbound, further = {} } = party;
  return [
    [texts.facts.dscpIn, codePoint(dscpInbound)],
    [texts.facts.dscpOut, codePoint(dscpOutbound)],
    [texts.facts.macAddress, named('mac', party.mac)],
    [texts.facts.drivers, named('driver', party.captureDeviceDriver), named('driver', party.renderDeviceDriver)],
    [texts.facts.wifiDriver, named('driver', party.wifiDriver), plain(party.wifiDriverVersion)],
    [texts.facts.processor, plain(party.cpuName), ...processorOf(party)],
    [texts.facts.virtualMachine, plain(party.virtualization)],
    [texts.facts.battery, batteryOf(party)],
    [texts.facts.dnsSuffix, plain(party.dnsSuffix)],
    [texts.facts.tenant, named('tenantId', party.tenantId)],
    [texts.facts.assertedIdentity, plain(party.assertedIdentity)],
    [texts.facts.contact, plain(party.contact)],
    [texts.facts.endpoint, plain(party.epId)],
    [texts.facts.dialogTag, plain(party.id)],
    ...otherFacts(party),
    ...Object.entries(further).map(([name, value]) => [visible(name), plain(value)] as const),
  ];
}

/** Fields that the facts above contain, that stand beside the name of the party, or that explain nothing to operators. */
const PLACED = [
  'id',
  'epId',
  'uri',
  'contact',
  'ip',
  'port',
  'epType',
  'relay',
  'relayPort',
  'reflexiveIp',
  'reflexivePort',
  'hostIp',
  'hostPort',
  'userAgent',
  'userAgentType',
  'incallEnabled',
  'trunk',
  'assertedIdentity',
  'tenantId',
  'inside',
  'vpn',
  'wireless',
  'connection',
  'subnet',
  'linkSpeed',
  'dscpInbound',
  'dscpOutbound',
  'mac',
  'os',
  'cpuName',
  'cpuCores',
  'cpuSpeed',
  'virtualization',
  'bssid',
  'ssid',
  'wifiDriver',
  'wifiDriverVersion',
  'wifiChannel',
  'wifiHandovers',
  'wifiReassociations',
  'wifiSignalStrength',
  'wifiRssi',
  'wifiRadioType',
  'wifiRadioFrequency',
  'wifiSupportFlags',
  'wifiStatusFlags',
  'wifiBatteryCharge',
  'dnsSuffix',
  'captureDevice',
  'captureDeviceDriver',
  'renderDevice',
  'renderDeviceDriver',
  'site',
  'further',
] as const satisfies readonly (keyof Party)[];

/** Fields that a later release of the API has, under their names there. */
function otherFacts(party: object): readonly (readonly [string, Maybe])[] {
  const placed: readonly string[] = PLACED;
  return Object.entries(party).flatMap(([name, value]: [string, unknown]) => {
    if (placed.includes(name)) return [];
    if (typeof value !== 'string') return isScalar(value) ? [[name, plain(String(value))] as const] : [];
    return [[name, Object.hasOwn(FILTERS, name) ? named(name, value) : plain(value)] as const];
  });
}

function isScalar(value: unknown): value is number | boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function present(facts: readonly (readonly [string, ...Maybe[]])[]): readonly PartyFact[] {
  return facts
    .map(([label, ...values]) => ({ label, values: values.filter((value) => value !== undefined) }))
    .filter(({ values }) => values.length > 0);
}

function plain(text: string | undefined): Maybe {
  return text === undefined || text === '' ? undefined : { text: visible(text) };
}

/** A text that is found by the filter of this name. */
function named(filter: string, text: string | undefined): Maybe {
  return withFilter(filter, text, text);
}

function withFilter(filter: string, value: string | undefined, shown: string | undefined): Maybe {
  const fact = plain(shown);
  if (fact === undefined || value === undefined) return fact;
  const searched = filter === 'userAgent' ? value.slice(0, LONGEST.userAgent) : value;
  const longest = filter === 'address' || filter === 'site' ? LONGEST.address : LONGEST.other;
  return searched.length > longest ? fact : { ...fact, filter: [filter, searched] };
}

function flag(filter: string, value: boolean | undefined, yes: string, no: string): Maybe {
  return value === undefined ? undefined : { text: value ? yes : no, filter: [filter, String(value)] };
}

function address(ip: string | undefined, port: number | undefined): Maybe {
  return withFilter('address', ip, withPort(ip, port));
}

export function withPort(ip: string, port: number | undefined): string;
export function withPort(ip: string | undefined, port: number | undefined): string | undefined;
export function withPort(ip: string | undefined, port: number | undefined): string | undefined {
  if (ip === undefined) return undefined;
  const host = ip.includes(':') ? `[${ip}]` : ip;
  return port === undefined ? host : `${host}:${port}`;
}

/** The subnet by which statistics count the address; of an IPv6 address only if it is written in full. */
function subnetFact(ip: string | undefined): Maybe {
  const four = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(ip ?? '')?.[1];
  return four === undefined ? undefined : { text: `${four}.0/24`, filter: ['address', `${four}.0/24`] };
}

function signalOf({ wifiSignalStrength, wifiRssi }: Endpoint): Maybe {
  const strength = wifiSignalStrength ?? wifiRssi;
  return strength === undefined ? undefined : { text: texts.signal(withUnit(String(strength), '%')) };
}

function roamingOf({ wifiChannel, wifiHandovers, wifiReassociations }: Endpoint): readonly Maybe[] {
  return [
    wifiChannel === undefined ? undefined : { text: texts.channel(String(wifiChannel)) },
    counted(wifiHandovers, texts.handovers),
    counted(wifiReassociations, texts.reassociations),
  ];
}

function counted(count: number | undefined, words: (count: number) => string): Maybe {
  return count === undefined || count === 0 ? undefined : { text: words(count) };
}

function processorOf({ cpuCores, cpuSpeed }: Endpoint): readonly Maybe[] {
  return [counted(cpuCores, texts.cores), cpuSpeed === undefined ? undefined : plain(withUnit(cpuSpeed, 'MHz'))];
}

function batteryOf({ wifiBatteryCharge }: Endpoint): Maybe {
  if (wifiBatteryCharge === undefined) return undefined;
  return { text: wifiBatteryCharge === 0 ? texts.pluggedIn : withUnit(String(wifiBatteryCharge), '%') };
}

function codePoint(value: number | undefined): Maybe {
  if (value === undefined) return undefined;
  return { text: String(value), ...(value < 0 || value > 63 ? {} : { filter: ['dscp', String(value)] as const }) };
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['ethernet', 'wired'],
  ['wired', 'wired'],
  ['wifi', 'wifi'],
  ['mobilebb', 'mobile'],
  ['tunnel', 'tunnel'],
]);

/** The filter by connections knows these kinds; senders write several words for each. */
function connectionKind(written: string): string {
  return KINDS.get(written.toLowerCase()) ?? 'other';
}
