import type { GraphKey } from './metric-graph.js';
import { texts } from '../../texts/call.js';

export const GRAPH_TITLES: Readonly<Record<GraphKey, string>> = texts.metrics;
