/** Which classes of facts a layer brings. */
import type { Filter } from '../cxri/contract.ts';
import type { LayerSettings } from '../model/manifest.ts';
import { anyOf } from './search-part.ts';

/** Classes with a layer of their own. */
export const OWN_LAYER_CLASSES = ['procedure', 'lesson', 'rule'];

/** What `documents` brings of them beside its documents. */
export const LESSONS = ['lesson', 'rule'];

/** Of a layer that brings all classes but those with a layer of their own. */
export const factClasses = ({ classes }: Pick<LayerSettings, 'classes'>): readonly Filter[] =>
  classes.length > 0
    ? anyOf('class', classes)
    : [{ not: { field: 'class', in: OWN_LAYER_CLASSES } }];
