import type { RestApis, ShownApi } from '#studio/sources/http-api/rest-apis.ts';
import type { Tools } from '#studio/tools.ts';
import { useLoadedSources } from '../use-loaded-sources.ts';

const apisOf = ({ apis }: Tools): RestApis | undefined => apis;

/** Returns the person's HTTP APIs, and the object that changes them; undefined until the tools are loaded. */
export function useApis(): { apis: RestApis | undefined; list: readonly ShownApi[] } {
  const { sources, list } = useLoadedSources<ShownApi, RestApis>(apisOf);
  return { apis: sources, list };
}
