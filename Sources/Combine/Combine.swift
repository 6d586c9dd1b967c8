@_exported public import Penstock
