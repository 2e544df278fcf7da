/** An IPv6 customer has a network of addresses: its first four groups. An IPv4 address counts by itself. */
export function clientNetwork(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined || !ip.includes(':')) return mapped ?? ip;
  const [head = '', tail] = ip.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length;
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...after];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
