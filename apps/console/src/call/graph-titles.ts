import type { GraphKey } from './metric-graph.js';

export const GRAPH_TITLES: Readonly<Record<GraphKey, string>> = {
  mos: 'MOS',
  loss: 'Packet loss',
  jitter: 'Jitter',
  roundTrip: 'Round trip',
};
