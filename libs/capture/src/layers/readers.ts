import { readErspan2, readErspan3 } from './erspan.js';
import { readEtherIp } from './etherip.js';
import { readEthernet } from './ethernet.js';
import { readGre } from './gre.js';
import { readHdlc } from './hdlc.js';
import { readIeee80211, readPaddedIeee80211 } from './ieee80211.js';
import { layer, type LayerName, type LayerReader } from './layer.js';
import { readCooked, readCooked2 } from './linux-cooked.js';
import { readLlc } from './llc.js';
import { readMpls } from './mpls.js';
import { readNflog } from './nflog.js';
import { readPpp, readPppWithDirection } from './ppp.js';
import { readPppoe } from './pppoe.js';
import { readRadiotap } from './radiotap.js';
import { readVlan } from './vlan.js';

/** The readers of all headers below IP, and of those of tunnels in IP. */
export const READERS: Readonly<Record<Exclude<LayerName, 'ip'>, LayerReader>> = {
  ethernet: readEthernet,
  vlan: readVlan,
  llc: readLlc,
  mpls: readMpls,
  ppp: readPpp,
  pppoe: readPppoe,
  gre: readGre,
  etherip: readEtherIp,
  'erspan-2': readErspan2,
  'erspan-3': readErspan3,
  ieee80211: readIeee80211,
  'ieee80211-padded': readPaddedIeee80211,
  radiotap: readRadiotap,
  nflog: readNflog,
  cooked: readCooked,
  'cooked-2': readCooked2,
  hdlc: readHdlc,
  'ppp-direction': readPppWithDirection,
  // The address family in four bytes of either order, then IP.
  loopback: (bytes) => layer('ip', bytes.subarray(4)),
};
