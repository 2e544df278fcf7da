import { collectorSettings } from '@ringdown/collector';
import { connectionLimitSettings, fitConnections, fitPerAddress } from '@ringdown/node-http';

/** Limits of each port. */
export interface PortLimits {
  readonly most: number;
  readonly perAddress: number;
}

export interface ConnectionsOfPorts {
  /** As set. */
  readonly web: PortLimits;
  readonly feed: PortLimits;
  /** Undefined: not open. */
  readonly webPorts: readonly (number | undefined)[];
  readonly feedPorts: readonly (number | undefined)[];
}

/**
 * The limits of connections of both interfaces, reduced to the descriptors of this process. `say`: gets the line about it if the operator
 * has set one of the limits, or the rest is few.
 */
export function connectionRoom(
  { web, feed, webPorts, feedPorts }: ConnectionsOfPorts,
  isSet: (setting: string) => boolean,
  say: (line: string) => void,
): Pick<ConnectionsOfPorts, 'web' | 'feed'> {
  const [ofWeb, ofFeed] = [connectionLimitSettings.maxConnections.env, collectorSettings.maxConnections.env];
  const { perPort, reduced } = fitConnections([
    { setting: ofWeb, perPort: web.most, ports: portCount(webPorts) },
    { setting: ofFeed, perPort: feed.most, ports: portCount(feedPorts) },
  ]);
  if (reduced !== undefined && (reduced.isSerious || isSet(ofWeb) || isSet(ofFeed))) say(reduced.line);
  return { web: fitted(web, perPort[ofWeb]), feed: fitted(feed, perPort[ofFeed]) };
}

function fitted({ most: set, perAddress }: PortLimits, most = set): PortLimits {
  return { most, perAddress: fitPerAddress(perAddress, set, most) };
}

function portCount(ports: readonly (number | undefined)[]): number {
  return ports.filter((port) => port !== undefined).length;
}
