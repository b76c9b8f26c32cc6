import type { RestApis, ShownApi } from '#studio/sources/http-api/rest-apis.ts';
import type { Tools } from '#studio/tools.ts';
import { useLoadedSources } from '../use-loaded-sources.ts';

const apisOf = ({ apis }: Tools): RestApis | undefined => apis;

/** The person's HTTP APIs, and what they are changed with; undefined until the tools are loaded. */
export function useApis(): { apis: RestApis | undefined; list: readonly ShownApi[] } {
  const { sources, list } = useLoadedSources<ShownApi, RestApis>(apisOf);
  return { apis: sources, list };
}
