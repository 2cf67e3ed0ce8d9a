import { type ComponentType, useEffect, useReducer, useState } from "react";

/** A component whose code is fetched when it is first needed. */
export interface Late<Props> {
  /** Null until the code is there. */
  Component: ComponentType<Props> | null;
  fetch: () => Promise<void>;
}

export function late<Props = object>(load: () => Promise<{ default: ComponentType<Props> }>): Late<Props> {
  const one: Late<Props> = {
    Component: null,
    fetch: async () => {
      one.Component = (await load()).default;
    },
  };
  return one;
}

/**
 * The component, null while its code is on the way, which is fetched while `wanted`. Not by Suspense: React holds back what
 * comes behind a fallback until that was seen for 300 ms, and this stands between a reader and every page. What can't be
 * fetched is thrown to the boundary above.
 */
export function useLate<Props>(one: Late<Props>, wanted = true): ComponentType<Props> | null {
  const [failure, setFailure] = useState<{ cause: unknown }>();
  const [, draw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    if (!wanted || one.Component) return;
    let waiting = true;
    one.fetch().then(
      () => waiting && draw(),
      (cause: unknown) => waiting && setFailure({ cause }),
    );
    return () => {
      waiting = false;
    };
  }, [one, wanted]);
  if (failure) throw failure.cause;
  return one.Component;
}
