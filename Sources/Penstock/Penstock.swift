@_exported public import PenstockCore
@_exported public import PenstockDispatch
@_exported public import PenstockFoundation
