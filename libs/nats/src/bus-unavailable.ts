/** A message could not be stored in time; nothing is known to be lost, but nothing may be acknowledged either. */
export class BusUnavailable extends Error {
  override readonly name = 'BusUnavailable';
}
