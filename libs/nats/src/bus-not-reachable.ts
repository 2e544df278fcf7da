/** No server of the bus answers yet, or its cluster has no leader yet: a service that waits may succeed. */
export class BusNotReachable extends Error {
  override readonly name = 'BusNotReachable';
}
