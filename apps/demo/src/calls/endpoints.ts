import type { Endpoint } from '@ringdown/xml-schemas/record';
import { sideAddress, type Side } from './call-plan.js';
import { CONFERENCE_SERVER, RELAY } from './places.js';
import type { Person } from './people.js';
import { wifiDriver, type Story } from './story.js';

/** Who it is: in records that do not describe the machine. */
export function sideIdentity(side: Side): Endpoint {
  const epId = side.kind === 'person' ? { epId: side.person.epId } : {};
  return { id: side.tag, ...epId, uri: `sip:${sideAddress(side)}` };
}

/** Where the media of a stream come from or go to; ports of video are two further. */
export function sideMediaEnd(side: Side, isVideo: boolean): Endpoint {
  const port = side.port + (isVideo ? 2 : 0);
  const identity = { ...sideIdentity(side), port };
  if (side.kind === 'person') return { ...identity, ...machineOf(side.person) };
  if (side.kind === 'conference') {
    return { ...identity, ip: CONFERENCE_SERVER, userAgent: 'ConferenceServer/7.1', userAgentType: 2, inside: true };
  }
  const { gateway, name } = side.trunk;
  return { ...identity, ip: gateway, trunk: name, userAgent: 'MediationGateway/7.3', userAgentType: 1, inside: true };
}

/** With what the client measured of its network: `badness` weakens the signal of Wi-Fi. */
export function reportedEndOf(side: Side, isVideo: boolean, badness: number, story: Story): Endpoint {
  const end = sideMediaEnd(side, isVideo);
  if (side.kind !== 'person' || side.person.accessPoint === undefined) return end;
  const { bssid, ssid, channel } = side.person.accessPoint;
  return {
    ...end,
    bssid,
    ssid,
    wifiChannel: channel,
    wifiSignalStrength: Math.round(Math.max(12, 86 - 68 * badness)),
    wifiRssi: Math.round(-46 - 36 * badness),
    wifiHandovers: badness > 0.5 ? 3 : 0,
    wifiDriver: wifiDriver(side.person, story),
    wifiDriverVersion: '22.200.2',
  };
}

function machineOf({ connection, ip, subnet, mac, device }: Person): Endpoint {
  const isWireless = connection !== 'wired';
  const common: Endpoint = {
    ip,
    subnet,
    mac,
    userAgent: device.userAgent,
    userAgentType: device.type,
    inside: connection === 'wired' || connection === 'wifi',
    vpn: connection === 'vpn',
    wireless: isWireless,
    connection: isWireless ? 'wifi' : 'wired',
    linkSpeed: isWireless ? 866_700_000 : 1_000_000_000,
    dscpInbound: isWireless ? 0 : 46,
    ...(device.os === undefined ? {} : { os: device.os }),
    ...(device.cpu === undefined ? {} : { cpuName: device.cpu, cpuCores: 12 }),
  };
  return connection === 'home' ? { ...common, ...behindNat(ip) } : common;
}

function behindNat(ip: string): Endpoint {
  const host = ip.split('.').at(-1) ?? '1';
  return {
    relay: RELAY,
    relayPort: 52_001,
    reflexiveIp: `203.0.113.${host}`,
    reflexivePort: 61_000,
    hostIp: ip,
    hostPort: 50_012,
  };
}
