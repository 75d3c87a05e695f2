// Builds the bundle that tests start as the product, once before any of them asks for it.
import { currentBundle } from '../../build.js';

export const setup = () => void currentBundle();
