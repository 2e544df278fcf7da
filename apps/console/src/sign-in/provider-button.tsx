import { useEffect, useState, type ReactNode } from 'react';
import { Unreachable, UnexpectedAnswer, type ProviderOffer, type SingleSignOn } from '../web-interface/index.js';
import { texts } from '../texts/sign-in.js';

interface ProviderButtonProps {
  readonly singleSignOn: SingleSignOn;
}

/** Leads to the provider, where there is one. The address stays the same, as with a password. */
export function ProviderButton({ singleSignOn }: ProviderButtonProps): ReactNode {
  const [offer, setOffer] = useState<ProviderOffer>({ kind: 'none' });
  useEffect(() => {
    let shown = true;
    void offered(singleSignOn).then((found) => shown && setOffer(found));
    return () => {
      shown = false;
    };
  }, [singleSignOn]);
  if (offer.kind === 'none') return null;
  if (offer.kind === 'away') {
    return <p className="muted">{texts.providerAway}</p>;
  }
  const { provider } = offer;
  const { pathname, search } = location;
  return (
    <button
      className="button"
      type="button"
      onClick={() => void singleSignOn.begin(provider, pathname + search).then((url) => location.assign(url))}
    >
      {texts.singleSignOn}
    </button>
  );
}

/** Without an answer there is the password, and its errors say what is wrong. */
async function offered(singleSignOn: SingleSignOn): Promise<ProviderOffer> {
  try {
    return await singleSignOn.offer();
  } catch (error) {
    if (error instanceof Unreachable || error instanceof UnexpectedAnswer) return { kind: 'none' };
    throw error;
  }
}
