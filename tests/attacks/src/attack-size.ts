/** The size of the attacks: `short` in `npm run test:all`, `whole` in `npm run test:attacks`. */
export function attackSize(short: number, whole: number): number {
  return process.env['RINGDOWN_ATTACKS'] === 'whole' ? whole : short;
}
