/** A message could not be stored in time. It may or may not be stored, so it must not be acknowledged. */
export class BusUnavailable extends Error {
  override readonly name = 'BusUnavailable';
}
