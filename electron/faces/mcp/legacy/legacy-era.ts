import type { Era } from "../era";
import type { FaceParts } from "../face-parts";
import { Sessions } from "./sessions";

/** 2025-11-25 and the revisions before it that have Streamable HTTP: sessions, and streams that carry requests both ways. */
export function legacyEra(parts: FaceParts): Era {
  return new Sessions(parts);
}
