/** PEM texts. `ca`: the authority of the collector's certificate, if it is not one that Node trusts. */
export interface CollectorTls {
  readonly ca?: string;
  /** The client certificate of the sender. */
  readonly cert?: string;
  readonly key?: string;
}
