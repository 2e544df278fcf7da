import { fitConnections } from '@ringdown/node-http';
import type { Logger } from '@ringdown/observability';
import { MAX_HEP_CONNECTIONS } from '../input/hep-listener.js';

const NAME = 'connections for HEP';

/** Of each port. Less where this process may not have as many descriptors: without a free one it could not connect to its collector. */
export function hepConnections(ports: number, logger: Logger): number {
  const { perPort, reduced } = fitConnections([{ setting: NAME, perPort: MAX_HEP_CONNECTIONS, ports }]);
  if (reduced !== undefined) logger.warn(reduced.line);
  return perPort[NAME] ?? MAX_HEP_CONNECTIONS;
}
