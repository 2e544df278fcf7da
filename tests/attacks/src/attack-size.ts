/** How much an attack tries: `short` within `npm test`, `whole` within `npm run test:attacks`. */
export function attackSize(short: number, whole: number): number {
  return process.env['RINGDOWN_ATTACKS'] === 'whole' ? whole : short;
}
